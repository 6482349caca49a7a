/**
 * User agents of programs: previews of WhatsApp and other messengers, search engines, mail scanners, scripts, and apps that send the
 * name of the phone's HTTP library (Dalvik, CFNetwork). CUBOT is a brand of phones.
 */
const PROGRAMS =
	/(?<!cu)bot\b|whatsapp\/|facebookexternalhit|meta-external|slack-imgproxy|skypeuripreview|google-inspectiontool|googleother|apis-google|mediapartners-google|bingpreview|yahoo! slurp|crawler|spider|headless|lighthouse|dalvik\/|cfnetwork\/|curl\/|wget\/|python|^node|axios\/|undici|go-http-client|apache-httpclient|okhttp|java\/|libwww-perl/i

/** Characters of a header that are examined; browsers send fewer. */
const MAX_LENGTH = 1000

/** Returns true for a request without a click: a program reads a preview, or a browser loads a page in advance. */
export function isPreview(method: string, headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
	const agent = headers['user-agent']
	if (method !== 'GET' || typeof agent !== 'string' || agent === '') return true
	const purpose = `${String(headers['sec-purpose'])} ${String(headers['purpose'])} ${String(headers['x-moz'])}`
	return PROGRAMS.test(agent.slice(0, MAX_LENGTH)) || /prefetch|preview|prerender/i.test(purpose.slice(0, MAX_LENGTH))
}
