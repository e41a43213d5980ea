# `eval` of other packages gives a value

for name, formula in formulas.items():
    results[name] = formula.eval()
    frame.eval("total = price * count")
    models.append(formula(name))
