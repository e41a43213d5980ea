def collect(net):
    total = 0
    for layer in net.layers:
        total = total + sum(layer.aux)
        layer.aux.clear()
    return total
