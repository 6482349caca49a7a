/**
 * What fetches a link without a person: WhatsApp and other messengers for their previews, search engines, mail scanners, apps that
 * name nothing but their phone's own library (Dalvik, CFNetwork) and scripts. CUBOT makes phones.
 */
const PROGRAMS =
	/(?<!cu)bot\b|whatsapp\/|facebookexternalhit|meta-external|slack-imgproxy|skypeuripreview|google-inspectiontool|googleother|apis-google|mediapartners-google|bingpreview|yahoo! slurp|crawler|spider|headless|lighthouse|dalvik\/|cfnetwork\/|curl\/|wget\/|python|^node|axios\/|undici|go-http-client|apache-httpclient|okhttp|java\/|libwww-perl/i

/** Longer than any browser's. */
const MAX_LENGTH = 1000

/** Whether nobody has clicked: a program looks for a preview, or a browser loads what may be opened later. */
export function isPreview(method: string, headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
	const agent = headers['user-agent']
	if (method !== 'GET' || typeof agent !== 'string' || agent === '') return true
	const purpose = `${String(headers['sec-purpose'])} ${String(headers['purpose'])} ${String(headers['x-moz'])}`
	return PROGRAMS.test(agent.slice(0, MAX_LENGTH)) || /prefetch|preview|prerender/i.test(purpose.slice(0, MAX_LENGTH))
}
