export const notificationPaths = { list: '/user/notifications' } as const
