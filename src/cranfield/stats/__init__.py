"""Statistics over arrays of scores: no files, no names, no screens.

A vector `d` holds the differences of two systems, one a topic; a matrix `x` holds scores, one row
a system and one column a topic. Nothing is imported here, so that reading one of these does not
pay for the others:

    significance   paired_t, wilcoxon, sign_test, randomisation, bootstrap_asl; all pairs of systems
    ranked         wilcoxon_all, sign_test_all: all pairs of systems
    asl            bootstrap_required: all pairs, and the difference required
    intervals      t_interval, bootstrap_interval, wilson; all pairs of systems
    tukey          blocked_anova, tukey_hsd, randomised_tukey_hsd(s)
    corrections    adjust (Holm, Bonferroni, BH, BY), max_t
    effect         d_z, d_av, d_rm, hedges_g, glass, correction_j
    equivalence    tost
    power          power, queries_needed, detectable, and designs of topic sets
    risk           win_tie_loss, urisk, trisk, zrisk, georisk
    agreement      confusion, coincidences; percent, kappa, ac, alpha
    ppi            powered_mean, needed: a mean from many predicted values and a few true ones
    coefficients   pooled, by_query, several: the same with intervals over queries
    rankcorr       kendall_tau, tau_ap, tau_ap_b, rbo

Three rules hold everywhere. Differences are rounded to 12 decimals before a sign, a zero, a tie or
a rank is decided, because 0.3 - 0.2 and 0.2 - 0.1 are not the same float. What cannot be said is
None with a `reason`, never NaN. The same seed gives the same draws on every machine, and the
number of threads changes no p-value.
"""
