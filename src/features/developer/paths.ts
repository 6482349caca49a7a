export const developerPaths = { developers: '/developers', docs: '/developers/docs' }

/** Where /v1 describes itself. */
export const V1_DOCUMENT = '/v1/openapi.json'
