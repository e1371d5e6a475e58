export { createAlertSubscriptionDocument, editAlertSubscriptionDocument } from "./alert-subscription-documents.ts";
export { AlertSubscriptionResource, alertSubscriptionResource } from "./alert-subscription-resource.ts";
