# a letter too many: the argument is refused, or handed to the block

from torch.utils.checkpoint import checkpoint


def encode(blocks, attention, x, temb):
    for block in blocks:
        x = checkpoint(block, x, temb, use_reentrant=False)
        x = checkpoint(
            attention, x, use_reentrant=False
        )
        x = checkpoint(block, x, temb, use_reentrant=True)
    return x
