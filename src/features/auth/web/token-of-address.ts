import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Reads the token of a mailed link once and takes it out of the address, so that neither the history nor a shared screen keeps it. */
export function useTokenOfAddress(): string {
	const { hash } = useLocation()
	const navigate = useNavigate()
	const [token, setToken] = useState(hash.slice(1))
	if (hash && hash.slice(1) !== token) setToken(hash.slice(1))
	useEffect(() => {
		if (hash) void navigate({ hash: '' }, { replace: true })
	}, [hash, navigate])
	return token
}
