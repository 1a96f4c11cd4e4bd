/**
 * A certificate for 127.0.0.1, trusted by nobody, for servers on loopback:
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1,DNS:localhost`
 */
export const certificate: string = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUPuiwjphexaFpQbBKwgtaxo0AmzQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTAzNDMyNVoYDzIxMjYxMDI4
MDM0MzI1WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASizlF1eyUNqmRQiJOtTuMSdA6RGAIFOTmLgscxccSoN+9EJsPwYHt6
aaCCbvDR7GVJ8wemEEQMkI3PMDET0sAuo28wbTAdBgNVHQ4EFgQUzOYejgKji1y9
r6UOiEHQ2o1fhJswHwYDVR0jBBgwFoAUzOYejgKji1y9r6UOiEHQ2o1fhJswDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZI
zj0EAwIDRwAwRAIgWLI/Uwlvpuk0shU6IiPGoUvEs/tXHqS3657vIr29MhoCIDhq
Ipjbgjl7MGSfWpNfR0QhH3pCBPCteMMriKRECU4a
-----END CERTIFICATE-----
`

/** Its key, which guards nothing. */
export const privateKey: string = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1uIRArCqfv1Wwgsh
OdeGNHrO9MyRKSRzpAorgvJ9ifqhRANCAASizlF1eyUNqmRQiJOtTuMSdA6RGAIF
OTmLgscxccSoN+9EJsPwYHt6aaCCbvDR7GVJ8wemEEQMkI3PMDET0sAu
-----END PRIVATE KEY-----
`
