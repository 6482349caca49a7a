/** Complete programs that receive events and check each signature. Only the secret must be filled in. */
export const RECEIVERS: readonly { label: string; text: string }[] = [
	{
		label: 'Node.js',
		text: `// npm install standardwebhooks
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook('YOUR_SECRET')

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const { events } = webhook.verify(Buffer.concat(chunks), request.headers)
    // Keep them in your database here, and work on them later.
    for (const { id, type, at, data } of events) console.log(id, type, at, data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}).listen(3000)`,
	},
	{
		label: 'Python',
		text: `import base64, hashlib, hmac, json, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode("YOUR_SECRET".removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        stamp = self.headers.get("webhook-timestamp", "0")
        signed = f"{self.headers.get('webhook-id')}.{stamp}.".encode() + body
        wanted = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        given = self.headers.get("webhook-signature", "").split(" ")
        genuine = any(hmac.compare_digest(wanted.encode(), one.encode()) for one in given)
        if not genuine or abs(time.time() - int(stamp)) > 300:
            self.send_response(401)
        else:
            # Keep them in your database here, and work on them later.
            for event in json.loads(body)["events"]:
                print(event["id"], event["type"], event["at"], event["data"], flush=True)
            self.send_response(204)
        self.end_headers()

HTTPServer(("", 3000), Receiver).serve_forever()`,
	},
	{
		label: 'PHP',
		text: `<?php
$key = base64_decode(substr('YOUR_SECRET', strlen('whsec_')));
$body = file_get_contents('php://input');
$stamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$stamp.$body";
$wanted = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
$genuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
    $genuine = $genuine || hash_equals($wanted, $one);
}
if (!$genuine || abs(time() - (int) $stamp) > 300) {
    http_response_code(401);
    exit;
}
// Keep them in your database here, and work on them later.
foreach (json_decode($body, true)['events'] as $event) {
    error_log("{$event['id']} {$event['type']} {$event['at']}");
}
http_response_code(204);`,
	},
]
