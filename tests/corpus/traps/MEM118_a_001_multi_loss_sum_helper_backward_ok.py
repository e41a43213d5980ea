import torch
import torch.nn.functional as F


def apply_gradients(optimizer, loss, params):
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(params, 10.0)
    optimizer.step()


def train(model, loader, weights, epochs):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for epoch in range(epochs):
        for images, targets in loader:
            outputs = model(images.cuda())
            total_loss = 0
            for name, out in outputs.items():
                total_loss += weights[name] * F.l1_loss(out, targets[name].cuda())
            apply_gradients(optimizer, total_loss, model.parameters())
        print(epoch, total_loss.item())
