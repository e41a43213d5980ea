# Pitches, labels of rows and the like are a number for each: that they stay on the GPU is a matter of taste.

import torch


def track(network, loader):
    pitches = []
    with torch.no_grad():
        for wave, _ in loader:
            found = network(wave.cuda())
            pitches.append(found.pop())  #! MEM103 advice
    return torch.cat(pitches).cpu()


def score(network, labels, loader):
    labels, right = labels.cuda(), []
    with torch.no_grad():
        for x, chosen in loader:
            network(x.cuda())
            right.append(labels[chosen].to(torch.long))  #! MEM103 advice
    return torch.cat(right).cpu()


def compare(network, tokenizer, batches, rows, entail_id):
    entailed = []
    with torch.no_grad():
        for i, pairs in enumerate(batches):
            probs = []
            for first, second in torch.utils.data.DataLoader(pairs, batch_size=10):
                encoded = tokenizer(first, second, return_tensors="pt").to("cuda")
                probs.append(network(**encoded).logits.softmax(1))
            probs = torch.cat(probs)
            entailed.append(probs[:, entail_id][rows[i]])  #! MEM103 advice
    return torch.stack(entailed).cpu()
