import { createContext } from 'react'

/** True while the surrounding form is being sent. */
export const FormBusyContext = createContext(false)

interface DialogState {
	close: () => void
	/** Blocks closing the dialog while true. */
	setBusy: (busy: boolean) => void
}

/** The dialog around a form; without a dialog, both functions do nothing. */
export const DialogContext = createContext<DialogState>({ close() {}, setBusy() {} })
