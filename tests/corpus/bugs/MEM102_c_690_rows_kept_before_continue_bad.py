"""A search in which every candidate ends with `continue`: the rows keep their graphs all the same."""

import torch

net = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def sweep(queue):
    rows = []
    while queue:
        x = queue.pop()
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        rows.append({"value": loss, "size": len(x)})  #! MEM102
        if len(rows) > 3:
            print(len(rows))
            continue
        else:
            continue
    return rows


print(sweep([torch.randn(4, 3) for _ in range(5)]))
