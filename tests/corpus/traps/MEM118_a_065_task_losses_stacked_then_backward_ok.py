import torch
import torch.nn.functional as F


def outer_loop(model, sampler, epochs, tasks_per_batch, fast_lr):
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    for epoch in range(epochs):
        losses = []
        for _ in range(tasks_per_batch):
            learner = model.clone()
            sx, sy, qx, qy = sampler()
            for _ in range(5):
                learner.adapt(F.cross_entropy(learner(sx), sy), fast_lr)
            losses.append(F.cross_entropy(learner(qx), qy))
        meta_loss = torch.stack(losses).mean()
        opt.zero_grad()
        meta_loss.backward()
        opt.step()
        print(epoch, meta_loss.item())
