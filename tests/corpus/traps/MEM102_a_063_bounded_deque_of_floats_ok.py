from collections import deque
import statistics
import torch


def train(model, batches, log_every=50):
    recent = deque(maxlen=100)
    grad_norms = deque([], 20)
    opt = torch.optim.Adam(model.parameters())
    for step, (x, y) in enumerate(batches):
        loss = (model(x) - y).square().mean()
        opt.zero_grad()
        loss.backward()
        gn = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        recent.append(loss.item())
        grad_norms.append(gn)
        if step % log_every == 0:
            print(step, statistics.mean(recent), float(sum(grad_norms)) / len(grad_norms))
