/** Messages per row of `campaign_blocks`: block b counts the messages b * BLOCK_SIZE + 1 to (b + 1) * BLOCK_SIZE. */
export const BLOCK_SIZE = 1000
