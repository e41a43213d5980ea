# an untyped network; that it is a state says the call that makes the first one

import torch.nn.functional as F


def adapt(net, stream, optimizer, rows):
    carried = net.init_hidden(rows)
    for chunk, labels in stream:
        scores, carried = net(chunk, carried)  #! MEM106 warning
        loss = F.cross_entropy(scores.flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
