export const pricingPaths = { management: '/admin/pricing/management' } as const
