export const whatsappPaths = { webhooks: '/admin/webhooks' } as const
