# each part of the state is detached before the next chunk of steps

import torch
import torch.nn.functional as F


def train(model, data, optimizer):
    hx, cx = torch.zeros(1, 256), torch.zeros(1, 256)
    for x, y in data:
        hx, cx = hx.detach(), cx.detach()
        logits, (hx, cx) = model(x, (hx, cx))
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def act(model, env, optimizer):
    observed, done = torch.from_numpy(env.reset()), True
    while True:
        if done:
            hx, cx = torch.zeros(1, 256), torch.zeros(1, 256)
        else:
            hx, cx = hx.data, cx.data
        losses = []
        for _ in range(20):
            _, logits, (hx, cx) = model((observed.unsqueeze(0), (hx, cx)))
            observed, reward, done, _ = env.step(logits.argmax().item())
            observed = torch.from_numpy(observed)
            losses.append(logits.max() * reward)
        optimizer.zero_grad()
        torch.stack(losses).sum().backward()
        optimizer.step()
