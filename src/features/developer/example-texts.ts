/** The request that an example sends. */
export interface ExampleRequest {
	url: string
	body: object
}

interface Example {
	label: string
	textOf: (request: ExampleRequest) => string
}

/**
 * Example programs, complete in one file each. The idempotency key is that of the order, so that a repetition sends nothing
 * more.
 */
export const EXAMPLES: readonly Example[] = [
	{
		label: 'curl',
		textOf: ({ url, body }) => `curl ${url} \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: order-1001" \\
  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
	},
	{
		label: 'Node.js',
		textOf: ({ url, body }) => `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer YOUR_API_KEY',
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-1001',
  },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),
})
console.log(response.status, await response.json())`,
	},
	{
		label: 'Python',
		textOf: ({ url, body }) => `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps(${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')}).encode(),
    headers={
        "Authorization": "Bearer YOUR_API_KEY",
        "Content-Type": "application/json",
        "Idempotency-Key": "order-1001",
    },
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
	},
	{
		label: 'PHP',
		textOf: ({ url, body }) => `<?php
$body = <<<'JSON'
${JSON.stringify(body, null, 2)}
JSON;
$response = file_get_contents('${url}', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer YOUR_API_KEY',
        'Content-Type: application/json',
        'Idempotency-Key: order-1001',
    ],
    'content' => $body,
    'ignore_errors' => true,
]]));
echo $response;`,
	},
]
