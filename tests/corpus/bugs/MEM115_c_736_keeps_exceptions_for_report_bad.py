import torch

failures = []


def sweep(make, sizes, data):
    """Which widths fit: what failed is reported at the end."""
    for width in sizes:
        net = make(width).cuda()
        try:
            net(data.cuda()).mean().backward()
        except RuntimeError as err:
            print("no room for", width)
            failures.append((width, err))  #! MEM115
    for width, err in failures:
        print(width, "->", err)
