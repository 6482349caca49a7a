import { presentAmount } from '../present.ts'
import { ERRORS, problemOf } from './errors.ts'
import { EXAMPLES } from './examples.ts'

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const SHORT_WALLET = {
	...problemOf(
		402,
		'insufficient_balance',
		'This costs ₹100.00 and your wallet has ₹40.00. Please recharge your wallet.',
	),
	needed: presentAmount(10_000),
	available: presentAmount(4000),
}

const FILE_REQUEST = {
	...EXAMPLES.sendMessage.request,
	template: { name: 'bill' },
	values: { var1: 'Asha' },
	file: { url: 'https://shop.example/bills/1001.pdf' },
}

/** Table of every code with its meaning, ordered by status. */
const ERROR_TABLE = [
	'| Status | `code` | Meaning |',
	'|---|---|---|',
	...Object.entries(ERRORS)
		.toSorted(([, [a]], [, [b]]) => a - b)
		.map(([code, [status, meaning]]) => `| ${status} | \`${code}\` | ${meaning} |`),
	'| 500 | `internal` | Something went wrong here. Send the request again with its Idempotency-Key. |',
].join('\n')

/** Introduction of the public page, in Markdown. */
export const GUIDE = `
Send messages from your shop or ERP, start campaigns, maintain contacts, and read the status of every message.

## Keys

Create a key under Developers and send it with every call: \`Authorization: Bearer wbm_…\`. A key has only the scopes chosen at its creation; you can revoke it there at any time. A scope to write campaigns or contacts includes reading them; a program that only reads needs only the scopes to read. A key can have a limit in rupees for each Indian day: a request that would exceed it is refused with 402 and \`day_limit_reached\`. Refunded messages still count for that day; messages that a campaign sends again automatically do not count.

## Trying it out

Make a test key under Developers; it begins with \`test_\`. Its messages and campaigns are checked and answered as real ones are, against your real wallet, and a webhook receives the events that they were sent, delivered and read after 1, 3 and 6 seconds, with \`"test": true\` in the data. A campaign is filled, started, paused, resumed and cancelled by the same calls; it is completed 1 second after it begins. Nothing is sent or charged, and the figures of your account do not count them. A message to +447700900999 fails. A test key finds only its own messages and campaigns, and other keys do not find them. An account has up to 10,000 test messages at once, those of campaigns included; they are deleted after a day. A test key reads your real templates, contacts, segments and balance; it cannot change contacts.

## Numbers and values

Phone numbers are text with their country code, such as \`"+447700900123"\`; ten digits are an Indian number, and a JSON number is read as its digits. The numbers in these examples are reserved for films: they belong to no person. Amounts are whole paise, with the rupees as text beside them. Times are RFC 3339 in UTC. Ids are texts.

## Several messages at once

\`POST /v1/messages/batch\` takes up to 1,000 messages with one template, all or none. The body may have 20 MB.

${json(EXAMPLES.sendBatch.request)}

Give a message a \`reference\`, such as the number of your order, and \`metadata\`: the message and each event about it have them, and \`GET /v1/messages?reference=A-1001\` finds it. The recipients of a campaign to your own list may have them, too.

## A file for one message

A message may have a document, an image or a video of its own in its header, such as a bill, if the header of its template has one of that kind. Name its address, which we fetch once before the answer:

${json(FILE_REQUEST)}

Or send the file with the request, as the part \`file\` of a form whose part \`message\` has the JSON:

\`\`\`sh
curl ADDRESS/v1/messages/with-file -H "Authorization: Bearer wbm_…" -H "Idempotency-Key: bill-1001" \\
  -F 'message={"to": "+447700900123", "template": {"name": "bill"}, "values": {"var1": "Asha"}}' -F file=@bill-1001.pdf
\`\`\`

A PDF has at most 10 MB, a JPEG or PNG 5 MB, an MP4 16 MB. A file that cannot be sent is a 422 at \`/file\`, and no money is held. The file is a part of the request: its Idempotency-Key stands for both. Files are uploaded to WhatsApp at 20 a second.

## A campaign to your own list

1. \`POST /v1/campaigns\` with the first page of \`recipients\`, up to 5,000, makes a draft, which costs nothing.

${json(EXAMPLES.createCampaign.request)}

2. \`POST /v1/campaigns/{id}/recipients\` adds each further page, with an Idempotency-Key of its own.

${json(EXAMPLES.addRecipients.request)}

3. \`POST /v1/campaigns/{id}/start\` holds the price of all recipients and starts. \`GET /v1/campaigns/{id}\` returns its progress.

To write to contacts instead, send \`group\`, \`segment\` or \`"audience": "all"\` in place of \`recipients\`: that campaign starts at once, or at \`startsAt\`.

## Errors

Every refusal is a problem as RFC 9457 describes it, of the type \`application/problem+json\`, also for an address or a method that does not exist. Let your program look at \`code\`, which never changes; \`detail\` is for people. A refused request changes nothing. A 422 has \`errors\` with the place of each fault as a JSON pointer, up to 1,000 of them, those of path and query marked by \`in\`. Fields and query parameters that a call does not have are faults, so a misspelt name is never ignored.

${ERROR_TABLE}

When the wallet is short, the answer is 402 with the needed and the available amount, and no message of a batch is sent. Recharge the wallet, then send the request again. You may use the same Idempotency-Key, because refused requests are not stored.

${json(SHORT_WALLET)}

## Repeating a request

When no answer comes, send the request again with the same \`Idempotency-Key\`, which each POST takes: the request takes effect once, and each repetition gets the first answer. Keys are stored for 24 hours.

| Answer | What to do |
|---|---|
| none, 500, 502, 503, 504 | Send it again with the same key after 1, 2, 4, 8 … seconds, up to a minute. |
| 429 | Wait for the seconds that \`Retry-After\` says. |
| 409 \`busy\`, \`idempotency_in_progress\` | Send it again after some seconds. |
| 402, 409 \`sender_stopped\` | Tell a person: the wallet, the limit of the key or the WhatsApp number needs them. |
| any other 4xx | Correct the request: the same one is refused again. |

## Lists

Lists answer \`data\` and \`next\`. Send \`next\` as \`cursor\` to get the next page; null is the end.

## Limits

An account may make 10,000 calls in 10 seconds. \`RateLimit\` and \`RateLimit-Policy\` say how many are left; each server process counts by itself. A body has 100,000 bytes at most, or as many as its call says; a 413 names the limit.

## Webhooks

Enter the addresses of your systems under Developers. They receive the events that are described at the end of this page. Each delivery is signed as Standard Webhooks says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`): check it with one of the libraries of standardwebhooks.com. Answer with 2xx within 10 seconds; otherwise the delivery is sent again after waits that grow from 5 seconds to 15 minutes, and later events follow in order. A delivery that you answer with 4xx (other than 408, 410 and 429) is sent in halves. An event that you refuse 3 times while you accept a \`test\` event is marked as failed, and the other events are sent; under Developers you can send it again. After 3 days without success, or an answer of 410, the address is switched off and you get a mail; waiting events are stored for 7 days and sent when you switch it on again. An event may arrive twice, with the same \`id\`. You receive an event for each step of a message, even if WhatsApp reports a later step first. A delivery has up to 500 events and 1 MB, so your server must accept that size. At most 5,000,000 events wait for an address; further events are not stored. For a day after a new secret, there are two signatures with a space between them: one of them must be valid. Ignore types and fields that you do not know, such as \`test\`.

## What stays, and what changed

Calls, fields and codes of \`/v1\` are only added to. Nothing in this document is changed or removed, and a request that is valid today stays valid, except where it could send to other people than it names. New fields may be added to answers and events at any time: your program must ignore fields that it does not know.

| Day | What changed |
|---|---|
| 26 November 2026 | Added: test keys, for messages and campaigns; \`reference\` and \`metadata\` of messages and of the recipients of campaigns; the scopes \`campaigns:read\` and \`contacts:read\`; a limit for each day of a key; \`"audience": "all"\`; phone numbers as JSON numbers; bodies of 20 MB; \`Allow\` with 405. Stricter, as messages went to people or at times that were not meant: fields and query parameters that a call does not have are refused, and a campaign to all contacts has to say so. |
| 22 November 2026 | The first version. |
`.trim()
