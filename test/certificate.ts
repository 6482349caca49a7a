import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'

/** What a server on 127.0.0.1 proves itself by, as PEM. */
export interface TestCertificate {
	key: string
	cert: string
	/** Holds `key` and `cert`, for other processes; removed when this one ends. */
	keyFile: string
	certFile: string
}

let certificate: Promise<TestCertificate> | undefined

/** A certificate made for this process, which trusts it; another one trusts it by NODE_EXTRA_CA_CERTS. */
export function trustedCertificate(): Promise<TestCertificate> {
	certificate ??= makeCertificate()
	return certificate
}

async function makeCertificate(): Promise<TestCertificate> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
	})
	setDefaultCACertificates([...getCACertificates(), cert])
	const [keyFile, certFile] = ['key', 'cert'].map((name) => join(tmpdir(), `test-${process.pid}-${name}.pem`)) as [
		string,
		string,
	]
	writeFileSync(keyFile, key, { mode: 0o600 })
	writeFileSync(certFile, cert)
	process.once('exit', () => {
		for (const file of [keyFile, certFile]) rmSync(file, { force: true })
	})
	return { key, cert, keyFile, certFile }
}
