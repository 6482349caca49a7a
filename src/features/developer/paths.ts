export const developerPaths = { developers: '/developers' }
