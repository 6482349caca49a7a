/** Messages that `campaign_blocks` counts together: those numbered block * BLOCK_SIZE + 1 to (block + 1) * BLOCK_SIZE. */
export const BLOCK_SIZE = 1000
