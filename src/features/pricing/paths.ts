export const pricingPaths = { management: '/admin/pricing/management', rates: '/admin/pricing/rates' } as const

/** Path of the call that the shell makes without its contract, which loads later. */
export const RATE_SUMMARY_PATH = '/api/pricing/rates/summary'
