# The sum starts again with each batch and takes in one loss for each of a few networks: nothing grows.


def train(students, optimizers, loader, loss_fn):
    for data, label in loader:
        total = 0
        for i in range(len(students)):
            loss = loss_fn(students[i](data.cuda()), label)
            loss.backward()
            optimizers[i].step()
            optimizers[i].zero_grad()
            total += loss
        print(total.item() / len(students))


def train_all(models, optimizer, loader, loss_fn):
    for data, label in loader:
        total = 0
        for model in models:
            optimizer.zero_grad()
            loss = loss_fn(model(data.cuda()), label)
            loss.backward()
            optimizer.step()
            total += loss
        print(total.item())
