# samples are drawn one by one: the first row of a batch of one is all of it

import torch


@torch.no_grad()
def frames_of(model, steps, size):
    xt = torch.randn([1, 3, size, size], device="cuda")
    frames = []
    for step in reversed(range(steps)):
        noise = model(xt, step)
        if step % 100 == 0:
            x0 = xt - 0.1 * noise
            frames.append(x0[0])
        xt = xt - 0.01 * noise
    return frames
