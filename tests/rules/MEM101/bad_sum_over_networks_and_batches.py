# The sum lives through the whole epoch: it grows with every batch, however few networks there are.


def train(students, optimizers, loader, loss_fn):
    total = 0
    for data, label in loader:
        for i in range(len(students)):
            loss = loss_fn(students[i](data.cuda()), label)
            loss.backward()
            optimizers[i].step()
            optimizers[i].zero_grad()
            total += loss  #! MEM101 warning
    print(total.item())
