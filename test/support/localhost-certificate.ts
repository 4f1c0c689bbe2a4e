// A self-signed certificate for localhost, valid until 2126. The private key is public: it is used
// only by servers that tests start.

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUf9C6rbKpRfiLZxbvHvCoXqCu0JIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTA1MjExN1oYDzIxMjYxMDIy
MDUyMTE3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASGKDYv2FQYfJHcMS/QM7BShytamjoweyC3bxFrmGsZYulJu4VIYe3d
bYpthPQHtyJtqxBPzhE6IxpAzZdYqW3Po28wbTAdBgNVHQ4EFgQUGsgMata+Ez9Z
RgFF26rqrsP8uz0wHwYDVR0jBBgwFoAUGsgMata+Ez9ZRgFF26rqrsP8uz0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAIF6xltZuXPxk5d1y5rHBgwYaSOq1jGPLyAS29J7aozYAiAU
eMla+pKogm31U7ce6WJvU4yU+hoifeuT6owKRzpyXg==
-----END CERTIFICATE-----`

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgChtx3KH5qEP4a+JF
Zn1AdA4Hih1dNgUn9BSl9iHtKRmhRANCAASGKDYv2FQYfJHcMS/QM7BShytamjow
eyC3bxFrmGsZYulJu4VIYe3dbYpthPQHtyJtqxBPzhE6IxpAzZdYqW3P
-----END PRIVATE KEY-----`
