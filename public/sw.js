// The service worker: a page of our own where there is no network, and notifications while the app is closed. It keeps
// nothing else, so that no screen is ever older than the server's.
const CACHE = 'offline-1'
const OFFLINE = '/offline.html'

self.addEventListener('install', (event) => {
	event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE, { cache: 'reload' }))))
	self.skipWaiting()
})

self.addEventListener('activate', (event) => {
	event.waitUntil(
		caches
			.keys()
			.then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
	)
})

self.addEventListener('fetch', (event) => {
	if (event.request.mode !== 'navigate') return
	event.respondWith(fetch(event.request).catch(async () => (await caches.match(OFFLINE)) ?? Response.error()))
})

// The text is made by notifications/server/push.ts. Who has the app before them sees it there.
self.addEventListener('push', (event) => {
	const { title, body, link, tag } = event.data.json()
	event.waitUntil(
		windows().then((all) => {
			if (all.some(({ focused }) => focused)) return
			return self.registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: link })
		}),
	)
})

self.addEventListener('notificationclick', (event) => {
	event.notification.close()
	const link = new URL(event.notification.data, self.location.origin).href
	event.waitUntil(
		windows().then(async ([open]) => {
			if (!open) return self.clients.openWindow(link)
			await open.focus()
			// What is being written in the app asks before it is left.
			open.postMessage({ link: event.notification.data })
		}),
	)
})

function windows() {
	return self.clients.matchAll({ type: 'window', includeUncontrolled: true })
}
