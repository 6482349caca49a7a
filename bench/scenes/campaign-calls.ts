export interface SentCampaign {
	campaignId: number
	rows: number
}

type PathOf = (campaign: SentCampaign, call: number) => string

function one({ campaignId }: SentCampaign): string {
	return `/api/campaigns/${campaignId}`
}

/** Returns every list and report call of campaigns. */
export function campaignCalls(): [name: string, path: PathOf][] {
	const messages =
		(query: string): PathOf =>
		(campaign) =>
			`${one(campaign)}/refresh?limit=10&${query}`
	const deep =
		(query: string, share: number): PathOf =>
		(campaign, call) =>
			`${one(campaign)}/refresh?limit=10&page=${Math.floor((campaign.rows * share) / 10) - (call % 50)}${query}`
	return [
		['list', () => '/api/campaigns?limit=5'],
		['list, searched and sorted', () => '/api/campaigns?search=large&sort=cost'],
		['list in one status', () => '/api/campaigns?status=completed&sort=name&order=asc&limit=5'],
		['dashboard', () => '/api/campaigns/dashboard'],
		['campaign', one],
		['messages, first page', messages('page=1')],
		['messages, last pages', deep('', 1)],
		['messages that failed', messages('status=failed')],
		['messages that were read', messages('status=read')],
		['messages that were read, deep', deep('&status=read', 0.5)],
		['messages that were sent, deep', deep('&status=sent', 0.005)],
		['messages pending, none', messages('status=pending')],
		['messages by name', messages('search=kumar')],
		['messages by number', messages('search=98765')],
		['messages by name and status', messages('search=asha&status=failed')],
		['timeline', (campaign) => `${one(campaign)}/timeline`],
		['retry, estimated', (campaign) => `${one(campaign)}/retry`],
		['group of failed, estimated', (campaign) => `${one(campaign)}/group?of=failed`],
		['group of replied, estimated', (campaign) => `${one(campaign)}/group?of=replied`],
		['export of failed', (campaign) => `${one(campaign)}/export?status=failed`],
	]
}
