export const chatPaths = { live: '/user/live/chats' } as const
