import type { Transport } from '../api.ts'

/** Returns a transport that reports the sent share of a request from 0 to 1, which `fetch` cannot. */
export function uploadTransport(onProgress: (part: number) => void): Transport {
	return (url, { method = 'POST', headers, body, signal }) =>
		new Promise((resolve, reject) => {
			const request = new XMLHttpRequest()
			request.open(method, url)
			request.responseType = 'arraybuffer'
			for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
			request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
			request.addEventListener('load', () => resolve(responseOf(request)))
			request.addEventListener('error', () => reject(new TypeError('The request failed')))
			request.addEventListener('abort', () => reject(new DOMException('The request was aborted', 'AbortError')))
			signal?.addEventListener('abort', () => request.abort(), { once: true })
			request.send(body as XMLHttpRequestBodyInit | null)
		})
}

function responseOf(request: XMLHttpRequest): Response {
	const headers = new Headers()
	for (const name of ['content-type', 'x-request-id']) {
		const value = request.getResponseHeader(name)
		if (value) headers.set(name, value)
	}
	return new Response(request.response as ArrayBuffer, { status: request.status, headers })
}
