export const pricingPaths = { management: '/admin/pricing/management', rates: '/admin/pricing/rates' } as const
