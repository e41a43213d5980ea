# Variable comes from a star import

from tools import *


def season(net, rest):
    net.eval()
    for x, _ in rest:
        print(net(Variable(x, volatile=True)).argmax(1).tolist())  #! MEM902
