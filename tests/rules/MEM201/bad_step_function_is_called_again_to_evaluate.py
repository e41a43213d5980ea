# a loop that trains by a function calls it again, after eval(), to evaluate: nothing back-propagates through that

import torch
from torch import nn

encoder, decoder = nn.GRU(16, 64, batch_first=True), nn.Linear(64, 10)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])


def run(inputs, labels, teach=True):
    _, state = encoder(inputs)
    loss, letters = 0, []
    for t in range(labels.size(1)):
        scores = decoder(state[0])
        loss = loss + nn.functional.cross_entropy(scores, labels[:, t])
        letters.append(labels[:, t] if teach else scores.argmax(-1))
    return loss, torch.stack(letters, 1)


def main(batches, held_out, answers):
    accuracies = []
    for step, (inputs, labels) in enumerate(batches):
        loss, _ = run(inputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 9:
            encoder.eval(), decoder.eval()
            _, letters = run(held_out, answers, teach=False)  #! MEM201 error
            accuracies.append((letters == answers).float().mean())
            encoder.train(), decoder.train()
    return accuracies


main([(torch.randn(8, 5, 16), torch.randint(0, 10, (8, 3)))] * 100, torch.randn(256, 5, 16), torch.zeros(256, 3))
