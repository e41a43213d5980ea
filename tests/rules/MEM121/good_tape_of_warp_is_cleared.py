# the tape keeps the gradients, and zero() clears them

import torch
import warp as wp


def fit(simulate, optimizer, batches):
    for batch in batches:
        with wp.Tape() as tape:
            loss = simulate(wp.from_torch(torch.as_tensor(batch)))
        tape.backward(loss)
        optimizer.step()
        tape.zero()
