/**
 * A self-signed certificate of 127.0.0.1 that was valid on the first day of 2020, with its key. It protects nothing: it
 * exists to be refused.
 */
export const expiredCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBWjCCAQCgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAkxMjcuMC4w
LjEwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAUMRIwEAYDVQQDDAkx
MjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARi4Jv1qM5VW1BozdWx
dLQ5oo+dQJ7Qt6jJAgmm6gydn0YyxO3DyIpymw8yMaj9qQHOVWR9wRWYjl+KcvdN
ZMwuo0MwQTAPBgNVHREECDAGhwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0O
BBYEFHWSKJbwuHhM9Q0xPef/sZx+ofWeMAoGCCqGSM49BAMCA0gAMEUCIQC9tmpc
vwXl6t7z+DITYwJtIqbUHgdQr2bXFLnBpOcWngIgSQhuJOhhsn8oKrFXUxjjn4Tx
m//vAKsWqqjNj4+m324=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIKfWHqISN3yDpd3ALoNCeaCVhWGjsWyz9lzujJWECOAooAoGCCqGSM49
AwEHoUQDQgAEYuCb9ajOVVtQaM3VsXS0OaKPnUCe0LeoyQIJpuoMnZ9GMsTtw8iK
cpsPMjGo/akBzlVkfcEVmI5finL3TWTMLg==
-----END EC PRIVATE KEY-----
`,
};
