# another class of this name, with an argument of this name

from tools import Variable


def season(net, rest):
    net.eval()
    for x, _ in rest:
        print(net(Variable(x, volatile=True)).argmax(1).tolist())
