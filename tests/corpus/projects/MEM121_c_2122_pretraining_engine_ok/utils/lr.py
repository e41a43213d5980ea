def adjust(opt, e, args):
    for g in opt.param_groups:
        g["lr"] = args.lr * (1 - e / args.epochs)
