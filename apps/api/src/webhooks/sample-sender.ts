import { createEgressAgent, type EgressPolicy, type Exchange, type Post, postOnce } from "@svc/egress";

/** Posts sample notifications under the same rules as deliveries, over connections of its own. */
export interface SampleSender {
  /** One request of 10 s at most. Never rejects; the exchange contains what went wrong. */
  post(post: Post): Promise<Exchange>;
  /** Aborts requests in flight: shutdown must not wait for a receiver that does not respond. */
  close(): Promise<void>;
}

export function createSampleSender(policy: EgressPolicy): SampleSender {
  const agent = createEgressAgent(policy);
  return {
    post: (post) => postOnce(agent, policy, post),
    close: () => agent.destroy(),
  };
}
