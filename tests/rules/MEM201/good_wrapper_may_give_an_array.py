# who asks whether the result is a tensor calls a wrapper, which has a grad mode of its own

import torch


def test_accuracy(model, texts, labels, size):
    preds = []
    for i in range(0, len(texts), size):
        out = model(texts[i : i + size])
        if not isinstance(out, torch.Tensor):
            out = torch.tensor(out)
        preds.append(out.argmax(1).cpu())
    return (torch.cat(preds) == labels).float().mean().item()
