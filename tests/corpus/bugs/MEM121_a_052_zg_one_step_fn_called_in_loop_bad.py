import jsonlines
import torch
from torch import optim


def load_examples(path):
    with jsonlines.open(path) as reader:
        return list(reader)


def step(model, optimizer, batch):
    scores = model(batch["input_ids"], batch["mask"])
    loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, batch["label"].float())
    loss.backward()  #! MEM121
    optimizer.step()
    return loss.item()


def main(model, collate, path, bs=32, n_epochs=3):
    examples = load_examples(path)
    optimizer = optim.Adam(model.parameters(), lr=5e-5)
    for epoch in range(n_epochs):
        cum = 0
        for i in range(0, len(examples), bs):
            cum += step(model, optimizer, collate(examples[i:i + bs]))
        print("epoch", epoch, cum / len(examples))
