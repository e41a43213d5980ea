# what code out of view calls gives it nothing: the graph is for nobody

from pools import each


def evaluate(model, loader):
    model.eval()

    def show(batch):
        print(model(batch).argmax(1).tolist())

    for batch in loader:
        each(show, batch)  #! MEM201 error
