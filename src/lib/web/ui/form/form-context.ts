import { createContext } from 'react'

/** Whether the form around a button is being sent. */
export const FormBusyContext = createContext(false)

interface DialogState {
	close: () => void
	/** While it is true, the dialog cannot be closed. */
	setBusy: (busy: boolean) => void
}

/** The dialog around a form; without one, both do nothing. */
export const DialogContext = createContext<DialogState>({ close() {}, setBusy() {} })
