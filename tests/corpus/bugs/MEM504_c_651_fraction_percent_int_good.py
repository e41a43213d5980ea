import argparse
import torch


class Session:
    def __init__(self, args):
        if torch.cuda.is_available():
            torch.cuda.set_per_process_memory_fraction(0.9, args.gpu)
        self.net = torch.nn.LSTM(10, 10).cuda(args.gpu)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int, default=0)
    Session(parser.parse_args())
