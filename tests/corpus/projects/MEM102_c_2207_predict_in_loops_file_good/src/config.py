import argparse


def get_config():
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="bert-base-uncased")
    p.add_argument("--lr", type=float, default=2e-5)
    p.add_argument("--freeze", action="store_true")
    p.add_argument("--grad-accum", type=int, default=4)
    return p.parse_args()
