export const developerPaths = { developers: '/developers', docs: '/developers/docs' }

/** Path of the OpenAPI document of /v1. */
export const V1_DOCUMENT = '/v1/openapi.json'
