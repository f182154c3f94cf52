"""The schemas of the API: what clients send and what routes return. The OpenAPI description is made from them."""
